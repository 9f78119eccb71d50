// Inverse dynamics of @ROBOT@ as a plugin of the package inverse_dynamics_solver, written by jounce.
//
// Vectors of that interface are allocated by each call: in real-time code, call @PREFIX@.h.

#include <stdexcept>
#include <string>

#include "inverse_dynamics_solver/inverse_dynamics_solver.hpp"
#include "pluginlib/class_list_macros.hpp"

#include "@PREFIX@.h"

namespace @PACKAGE@
{
class Solver : public inverse_dynamics_solver::InverseDynamicsSolver
{
  using Vector = Eigen::VectorXd;

public:
  void initialize(
    rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr, const std::string &,
    const std::string &) override
  {
  }

  Eigen::MatrixXd getInertiaMatrix(const Vector & q) const override
  {
    Eigen::MatrixXd M(N, N);  // symmetric, so the order of rows and columns is irrelevant
    @PREFIX@_mass_matrix(checked(q), M.data());
    return M;
  }

  Vector getCoriolisVector(const Vector & q, const Vector & v) const override
  {
    const double zero[N] = {};
    Vector moving(N), resting(N);
    @PREFIX@_inverse_dynamics(checked(q), checked(v), zero, moving.data());
    @PREFIX@_inverse_dynamics(q.data(), zero, zero, resting.data());
    return moving - resting;
  }

  Vector getGravityVector(const Vector & q) const override
  {
    Vector g(N);
    @PREFIX@_gravity_forces(checked(q), g.data());
    return g;
  }

  Vector getFrictionVector(const Vector & v) const override
  {
    Vector friction(N);
    @PREFIX@_joint_friction(checked(v), friction.data());
    return friction;
  }

  Vector getTorques(const Vector & q, const Vector & v, const Vector & a) const override
  {
    Vector tau(N);
    @PREFIX@_inverse_dynamics(checked(q), checked(v), checked(a), tau.data());
    return tau;
  }

private:
  static constexpr int N = @SIZE@;

  static const double * checked(const Vector & x)
  {
    if (x.size() != N) {
      throw std::invalid_argument(
              "@PACKAGE@: expected @SIZE@ joints, found " + std::to_string(x.size()));
    }
    return x.data();
  }
};
}  // namespace @PACKAGE@

PLUGINLIB_EXPORT_CLASS(@PACKAGE@::Solver, inverse_dynamics_solver::InverseDynamicsSolver)
