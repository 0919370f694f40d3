export { controllerAccounts } from './controller-accounts.ts';
export type {
  AddressRules,
  ApiSettings,
  CloudSettings,
  ElectionSettings,
  LoggingSettings,
  ManagerSettings,
} from './manager-settings.ts';
export type { NodeIpamSettings } from './node-ipam-settings.ts';
