export { controllerAccounts } from './controller-accounts.ts';
export type {
  AddressRules,
  ApiSettings,
  CloudSettings,
  ElectionSettings,
  LoggingSettings,
  ManagerSettings,
} from './manager-settings.ts';
export type { NodeIpamSettings, PodCIDRPool, PoolRange } from './node-ipam-settings.ts';
