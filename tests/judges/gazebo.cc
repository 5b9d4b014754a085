// Gazebo's default physics engine (dartsim) on an SDF file: the poses of all links at the given joint positions, as JSON.
// gazebo PLUGIN FILE [JOINT POSITION]...
#include <cstdlib>
#include <iostream>

#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/Joint.hh>
#include <ignition/physics/Link.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <sdf/sdf.hh>

namespace physics = ignition::physics;

struct Features
    : physics::FeatureList<physics::GetEngineInfo, physics::ForwardStep, physics::GetEntities,
                           physics::LinkFrameSemantics, physics::GetBasicJointState, physics::GetBasicJointProperties,
                           physics::SetBasicJointState, physics::sdf::ConstructSdfWorld,
                           physics::sdf::ConstructSdfModel> {};

int main(int count, char **values) {
  ignition::plugin::Loader loader;
  auto names = loader.LoadLib(values[1]);
  if (names.empty()) {
    std::cerr << "no plugin in " << values[1] << "\n";
    return 1;
  }
  auto engine = physics::RequestEngine3d<Features>::From(loader.Instantiate(*names.begin()));
  sdf::Root empty;
  empty.LoadSdfString("<sdf version='1.9'><world name='w'><gravity>0 0 -9.81</gravity></world></sdf>");
  auto world = engine->ConstructWorld(*empty.WorldByIndex(0));
  sdf::Root root;
  for (auto &error : root.Load(values[2])) {
    std::cerr << error.Message() << "\n";
    return 1;
  }
  auto model = world->ConstructModel(*root.Model());
  if (!model) {
    std::cerr << "the engine constructs no model\n";
    return 1;
  }
  for (int at = 3; at + 1 < count; at += 2) {
    auto joint = model->GetJoint(values[at]);
    if (!joint || joint->GetDegreesOfFreedom() != 1) {
      std::cerr << "joint " << values[at] << " is not there, or does not have one degree of freedom\n";
      return 1;
    }
    joint->SetPosition(0, std::atof(values[at + 1]));
  }
  std::cout.precision(17);
  std::cout << "{\"poses\": {";
  for (std::size_t index = 0; index < model->GetLinkCount(); ++index) {
    auto link = model->GetLink(index);
    auto pose = link->FrameDataRelativeToWorld().pose.matrix();
    std::cout << (index ? ", " : "") << "\"" << link->GetName() << "\": [";
    for (int row = 0; row < 4; ++row) {
      std::cout << (row ? ", [" : "[");
      for (int column = 0; column < 4; ++column) std::cout << (column ? ", " : "") << pose(row, column);
      std::cout << "]";
    }
    std::cout << "]";
  }
  std::cout << "}}\n";
  return 0;
}
