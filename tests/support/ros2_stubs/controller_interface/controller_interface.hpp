// The part of ros2_control that exported controllers use, with the signatures of Jazzy and Kilted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/state.hpp"

namespace hardware_interface
{
struct LoanedStateInterface
{
  const double * source;
  template<class T = double>
  [[nodiscard]] std::optional<T> get_optional(unsigned int = 10) const {return *source;}
};

struct LoanedCommandInterface
{
  double * target;
  template<class T>[[nodiscard]] bool set_value(const T & value, unsigned int = 10)
  {
    *target = value;
    return true;
  }
};
}  // namespace hardware_interface

namespace controller_interface
{
enum class CallbackReturn : std::uint8_t { SUCCESS = 97, FAILURE = 98, ERROR = 99 };
enum class return_type : std::uint8_t { OK = 0, ERROR = 1 };
enum class interface_configuration_type : std::uint8_t { ALL = 0, INDIVIDUAL = 1, NONE = 2 };

struct InterfaceConfiguration
{
  interface_configuration_type type;
  std::vector<std::string> names = {};
};

class ControllerInterface
{
public:
  virtual ~ControllerInterface() = default;
  virtual InterfaceConfiguration command_interface_configuration() const = 0;
  virtual InterfaceConfiguration state_interface_configuration() const = 0;
  virtual CallbackReturn on_init() = 0;
  virtual CallbackReturn on_configure(const rclcpp_lifecycle::State &) = 0;
  virtual CallbackReturn on_activate(const rclcpp_lifecycle::State &) = 0;
  virtual CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) = 0;
  virtual CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) = 0;
  virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;

  virtual void assign_interfaces(
    std::vector<hardware_interface::LoanedCommandInterface> && commands,
    std::vector<hardware_interface::LoanedStateInterface> && states)
  {
    command_interfaces_ = std::move(commands);
    state_interfaces_ = std::move(states);
  }

  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() {return node_;}

  template<class T> auto auto_declare(const std::string & name, const T & value)
  {
    return node_->has_parameter(name) ?
           node_->get_parameter(name).get_value<T>() : node_->declare_parameter<T>(name, value);
  }

protected:
  std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;
  std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;

private:
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ =
    std::make_shared<rclcpp_lifecycle::LifecycleNode>();
};
}  // namespace controller_interface
