/** The simulated cloud for tests of packages that may not import a provider. */
export {
  type CloudSettings,
  noFaults,
  noRouteFaults,
  routeSettingsDefault,
  SimulatedCloud,
} from '@tandem/provider-simulated';
