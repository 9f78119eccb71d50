#pragma once

#include <vector>

namespace trajectory_msgs::msg
{
struct JointTrajectoryPoint
{
  std::vector<double> positions, velocities, accelerations, effort;
};
}  // namespace trajectory_msgs::msg
