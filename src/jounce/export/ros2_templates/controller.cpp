// Computed-torque controller of @ROBOT@ for ros2_control, written by jounce.
//
// tau = ID(q, v, a_r + kd (v_r - v) + kp (q_r - q)), where ID is the inverse dynamics in @PREFIX@.c.
// After on_configure, the real-time thread allocates nothing, waits for no lock and logs nothing.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "pluginlib/class_list_macros.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/state.hpp"
#include "realtime_tools/realtime_buffer.hpp"
#include "trajectory_msgs/msg/joint_trajectory_point.hpp"

#include "@PREFIX@.h"

namespace @PACKAGE@
{
namespace
{
constexpr std::size_t N = @SIZE@;
using Vector = std::array<double, N>;
using Point = trajectory_msgs::msg::JointTrajectoryPoint;
using controller_interface::CallbackReturn;
using controller_interface::return_type;

struct Reference
{
  Vector position{}, velocity{}, acceleration{};
  std::uint64_t number = 0;  // increases with each message
};

bool is_finite(const Vector & x)
{
  return std::all_of(x.begin(), x.end(), [](double y) {return std::isfinite(y);});
}

/// Copy N finite numbers; return false if there are others.
bool copy(const std::vector<double> & from, Vector & to)
{
  if (from.size() != N) {return false;}
  std::copy(from.begin(), from.end(), to.begin());
  return is_finite(to);
}

bool copy_gains(const std::vector<double> & from, Vector & to)
{
  return copy(from, to) && std::all_of(to.begin(), to.end(), [](double x) {return x >= 0.0;});
}
}  // namespace

class ComputedTorqueController : public controller_interface::ControllerInterface
{
public:
  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    return interfaces({"effort"});
  }

  controller_interface::InterfaceConfiguration state_interface_configuration() const override
  {
    return interfaces({"position", "velocity"});
  }

  CallbackReturn on_init() override
  {
    try {
      auto_declare<std::vector<std::string>>("joints", {@JOINTS@});
      auto_declare<std::vector<double>>("kp", {@KP@});
      auto_declare<std::vector<double>>("kd", {@KD@});
      auto_declare<double>("reference_timeout", 0.1);
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_node()->get_logger(), "Parameters have wrong types: %s", error.what());
      return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    const auto node = get_node();
    joints_ = node->get_parameter("joints").as_string_array();
    timeout_ = node->get_parameter("reference_timeout").as_double();
    if (joints_.size() != N || !(timeout_ > 0.0) ||
      !copy_gains(node->get_parameter("kp").as_double_array(), kp_) ||
      !copy_gains(node->get_parameter("kd").as_double_array(), kd_))
    {
      RCLCPP_ERROR(
        node->get_logger(), "Expected %zu joints, as many gains kp >= 0 and kd >= 0, and a "
        "reference_timeout > 0.", N);
      return CallbackReturn::ERROR;
    }
    subscription_ = node->create_subscription<Point>(
      "~/reference", rclcpp::SystemDefaultsQoS(),
      [this](const std::shared_ptr<const Point> point) {receive(*point);});
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State &) override
  {
    if (command_interfaces_.size() != N || state_interfaces_.size() != 2 * N || !read_state()) {
      return CallbackReturn::ERROR;
    }
    reference_ = Reference{};  // hold the position until a message arrives
    reference_.position = q_;
    reference_.number = buffer_.readFromRT()->number;
    age_ = 0.0;
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override
  {
    bool written = true;
    for (auto & command : command_interfaces_) {
      written = command.set_value(0.0) && written;
    }
    return written ? CallbackReturn::SUCCESS : CallbackReturn::ERROR;
  }

  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override
  {
    subscription_.reset();
    return CallbackReturn::SUCCESS;
  }

  return_type update(const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    if (!read_state()) {return return_type::ERROR;}
    const Reference & received = *buffer_.readFromRT();
    if (received.number != reference_.number) {
      reference_ = received;
      age_ = 0.0;
    } else {
      age_ += period.seconds();
      if (age_ > timeout_) {
        reference_.velocity.fill(0.0);
        reference_.acceleration.fill(0.0);
      }
    }
    Vector a, tau;
    for (std::size_t i = 0; i < N; ++i) {
      a[i] = reference_.acceleration[i] + kd_[i] * (reference_.velocity[i] - v_[i]) +
        kp_[i] * (reference_.position[i] - q_[i]);
    }
    @PREFIX@_inverse_dynamics(q_.data(), v_.data(), a.data(), tau.data());
    if (!is_finite(tau)) {return return_type::ERROR;}
    bool written = true;
    for (std::size_t i = 0; i < N; ++i) {
      written = command_interfaces_[i].set_value(tau[i]) && written;
    }
    return written ? return_type::OK : return_type::ERROR;
  }

private:
  controller_interface::InterfaceConfiguration interfaces(
    const std::vector<std::string> & kinds) const
  {
    controller_interface::InterfaceConfiguration out{
      controller_interface::interface_configuration_type::INDIVIDUAL, {}};
    for (const auto & joint : joints_) {
      for (const auto & kind : kinds) {out.names.push_back(joint + "/" + kind);}
    }
    return out;
  }

  /// Read positions and velocities; return false if one is missing or not finite.
  bool read_state()
  {
    for (std::size_t i = 0; i < N; ++i) {
      const auto position = state_interfaces_[2 * i].get_optional();
      const auto velocity = state_interfaces_[2 * i + 1].get_optional();
      if (!position.has_value() || !velocity.has_value()) {return false;}
      q_[i] = *position;
      v_[i] = *velocity;
    }
    return is_finite(q_) && is_finite(v_);
  }

  /// Store a message; called by the executor, not by the real-time thread.
  void receive(const Point & point)
  {
    Reference next;
    if (!copy(point.positions, next.position) ||
      !(point.velocities.empty() || copy(point.velocities, next.velocity)) ||
      !(point.accelerations.empty() || copy(point.accelerations, next.acceleration)))
    {
      RCLCPP_WARN(
        get_node()->get_logger(), "Ignored a reference: expected %zu finite positions, and as many "
        "or no velocities and accelerations.", N);
      return;
    }
    next.number = ++received_;
    buffer_.writeFromNonRT(next);
  }

  std::vector<std::string> joints_;
  Vector kp_{}, kd_{}, q_{}, v_{};
  double timeout_ = 0.0, age_ = 0.0;
  Reference reference_;
  std::uint64_t received_ = 0;
  realtime_tools::RealtimeBuffer<Reference> buffer_;
  std::shared_ptr<rclcpp::Subscription<Point>> subscription_;
};
}  // namespace @PACKAGE@

PLUGINLIB_EXPORT_CLASS(
  @PACKAGE@::ComputedTorqueController, controller_interface::ControllerInterface)
