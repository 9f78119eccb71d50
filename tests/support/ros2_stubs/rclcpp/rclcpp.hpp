// The part of rclcpp that exported controllers use.
#pragma once

#include <any>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define RCLCPP_ERROR(logger, ...) ((void)(logger), std::fprintf(stderr, __VA_ARGS__))
#define RCLCPP_WARN(logger, ...) RCLCPP_ERROR(logger, __VA_ARGS__)

namespace rclcpp
{
struct Time {};
struct Logger {};
struct SystemDefaultsQoS {};

struct Duration
{
  double value;
  double seconds() const {return value;}
};

struct Parameter
{
  std::any value;
  template<class T> T get_value() const {return std::any_cast<T>(value);}
  double as_double() const {return get_value<double>();}
  std::vector<double> as_double_array() const {return get_value<std::vector<double>>();}
  std::vector<std::string> as_string_array() const {return get_value<std::vector<std::string>>();}
};

template<class Message> struct Subscription
{
  std::function<void(std::shared_ptr<const Message>)> callback;
};

namespace node_interfaces
{
struct NodeParametersInterface
{
  using ConstSharedPtr = std::shared_ptr<const NodeParametersInterface>;
};
}  // namespace node_interfaces
}  // namespace rclcpp

namespace rclcpp_lifecycle
{
struct LifecycleNode
{
  std::map<std::string, rclcpp::Parameter> parameters;
  std::any subscription;  // the last one

  bool has_parameter(const std::string & name) const {return parameters.count(name) > 0;}
  rclcpp::Parameter get_parameter(const std::string & name) const {return parameters.at(name);}
  rclcpp::Logger get_logger() const {return {};}

  template<class T> T declare_parameter(const std::string & name, const T & value)
  {
    parameters[name].value = value;
    return value;
  }

  template<class Message, class Callback>
  std::shared_ptr<rclcpp::Subscription<Message>> create_subscription(
    const std::string &, const rclcpp::SystemDefaultsQoS &, Callback callback)
  {
    auto out = std::make_shared<rclcpp::Subscription<Message>>();
    out->callback = callback;
    subscription = out;
    return out;
  }
};
}  // namespace rclcpp_lifecycle
