// The interface of inverse_dynamics_solver 2.0, and the part of Eigen that implementations use.
#pragma once

#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"

namespace Eigen
{
struct VectorXd : std::vector<double>
{
  explicit VectorXd(long n) : std::vector<double>(static_cast<std::size_t>(n)) {}
  long size() const {return static_cast<long>(std::vector<double>::size());}
};

inline VectorXd operator-(VectorXd x, const VectorXd & y)
{
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.size()); ++i) {x[i] -= y[i];}
  return x;
}

struct MatrixXd : VectorXd
{
  MatrixXd(long rows, long columns) : VectorXd(rows * columns) {}
};
}  // namespace Eigen

namespace inverse_dynamics_solver
{
class InverseDynamicsSolver
{
  using Vector = Eigen::VectorXd;

public:
  virtual ~InverseDynamicsSolver() {}
  virtual void initialize(
    rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr = nullptr,
    const std::string & = "", const std::string & = "") = 0;
  virtual Eigen::MatrixXd getInertiaMatrix(const Vector & q) const = 0;
  virtual Vector getCoriolisVector(const Vector & q, const Vector & v) const = 0;
  virtual Vector getGravityVector(const Vector & q) const = 0;
  virtual Vector getFrictionVector(const Vector & v) const = 0;
  virtual Vector getTorques(const Vector & q, const Vector & v, const Vector & a) const = 0;

protected:
  InverseDynamicsSolver() {}
};
}  // namespace inverse_dynamics_solver
