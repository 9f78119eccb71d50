// Plugins by the names of their classes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace pluginlib
{
template<class Base> std::map<std::string, std::function<std::shared_ptr<Base>()>> & factories()
{
  static std::map<std::string, std::function<std::shared_ptr<Base>()>> out;
  return out;
}
}  // namespace pluginlib

#define PLUGINLIB_EXPORT_CLASS(Class, Base) \
  [[maybe_unused]] static const bool is_exported = \
    pluginlib::factories<Base>().emplace(#Class, [] {return std::make_shared<Class>();}).second;
