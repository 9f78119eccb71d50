// Call the plugins of an exported package. Input: q, v, q_r, v_r, a_r; output: vectors, line by line.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>

#include "controller_interface/controller_interface.hpp"
#include "inverse_dynamics_solver/inverse_dynamics_solver.hpp"
#include "pluginlib/class_list_macros.hpp"
#include "trajectory_msgs/msg/joint_trajectory_point.hpp"

static int allocations = 0;

void * operator new(std::size_t size)
{
  ++allocations;
  if (void * out = std::malloc(size)) {return out;}
  throw std::bad_alloc();
}
void operator delete(void * x) noexcept {std::free(x);}
void operator delete(void * x, std::size_t) noexcept {std::free(x);}

using controller_interface::CallbackReturn;
using controller_interface::return_type;
using Point = trajectory_msgs::msg::JointTrajectoryPoint;

static void require(bool condition, const char * what)
{
  if (!condition) {throw std::runtime_error(what);}
}

template<class Vector> static void print(const Vector & x)
{
  for (double y : x) {std::printf("%.17g ", y);}
  std::printf("\n");
}

static std::shared_ptr<controller_interface::ControllerInterface> load(const char * name)
{
  return pluginlib::factories<controller_interface::ControllerInterface>().at(name)();
}

int main(int, char ** argv)
{
  const auto controller = load(argv[1]);
  require(controller->on_init() == CallbackReturn::SUCCESS, "on_init");
  require(controller->on_configure({}) == CallbackReturn::SUCCESS, "on_configure");
  const auto commands = controller->command_interface_configuration();
  const auto states = controller->state_interface_configuration();
  const auto n = commands.names.size();
  for (const auto & name : commands.names) {std::printf("%s ", name.c_str());}
  for (const auto & name : states.names) {std::printf("%s ", name.c_str());}
  std::printf("\n");

  auto read = [n] {
      Eigen::VectorXd out(static_cast<long>(n));
      for (double & x : out) {std::cin >> x;}
      return out;
    };
  const auto q = read(), v = read(), q_r = read(), v_r = read(), a_r = read();
  std::vector<double> state(2 * n), effort(n);
  for (std::size_t i = 0; i < n; ++i) {
    state[2 * i] = q[i];
    state[2 * i + 1] = v[i];
  }
  auto assign = [&](controller_interface::ControllerInterface & to) {
      std::vector<hardware_interface::LoanedCommandInterface> outputs;
      std::vector<hardware_interface::LoanedStateInterface> inputs;
      for (double & x : effort) {outputs.push_back({&x});}
      for (double & x : state) {inputs.push_back({&x});}
      to.assign_interfaces(std::move(outputs), std::move(inputs));
    };
  require(controller->on_activate({}) == CallbackReturn::ERROR, "activated without interfaces");
  assign(*controller);

  const auto subscription = std::any_cast<std::shared_ptr<rclcpp::Subscription<Point>>>(
    controller->get_node()->subscription);
  auto send = [&](const Point & x) {subscription->callback(std::make_shared<const Point>(x));};
  send({q_r, v_r, a_r, {}});  // before activation: without effect
  allocations = 0;
  require(controller->on_activate({}) == CallbackReturn::SUCCESS, "on_activate");
  auto update = [&](double seconds) {
      return controller->update({}, rclcpp::Duration{seconds}) == return_type::OK;
    };
  require(update(0.001), "update that holds");
  const int first = allocations;
  print(effort);
  send({q_r, v_r, a_r, {}});
  send({{1.0}, {}, {}, {}});  // of the wrong size: ignored
  send({q_r, v_r, std::vector<double>(n, std::nan("")), {}});
  allocations = 0;
  require(update(0.001) && update(0.099), "update that follows");
  const int second = allocations;
  print(effort);
  require(update(0.002), "update after the timeout");
  print(effort);
  send({q_r, {}, {}, {}});
  require(update(0.001), "update with positions only");
  print(effort);

  const auto last = effort;
  state[1] = std::nan("");
  require(!update(0.001) && effort == last, "update with velocities that are not finite");
  require(controller->on_deactivate({}) == CallbackReturn::SUCCESS, "on_deactivate");
  require(effort == std::vector<double>(n), "effort after deactivation");
  require(controller->on_activate({}) == CallbackReturn::ERROR, "activated without a state");
  require(controller->on_cleanup({}) == CallbackReturn::SUCCESS, "on_cleanup");
  std::printf("%d %d\n", first, second);

  const auto wrong = load(argv[1]);
  wrong->get_node()->declare_parameter("kp", std::vector<double>(n, -1.0));
  require(wrong->on_init() == CallbackReturn::SUCCESS, "on_init");
  require(wrong->on_configure({}) == CallbackReturn::ERROR, "configured with negative gains");

  const auto solver =
    pluginlib::factories<inverse_dynamics_solver::InverseDynamicsSolver>().at(argv[2])();
  solver->initialize();
  print(solver->getInertiaMatrix(q));
  print(solver->getCoriolisVector(q, v));
  print(solver->getGravityVector(q));
  print(solver->getFrictionVector(v));
  print(solver->getTorques(q, v, a_r));
  try {
    solver->getGravityVector(Eigen::VectorXd(static_cast<long>(n) + 1));
    require(false, "vector of the wrong size");
  } catch (const std::invalid_argument &) {
  }
  return 0;
}
