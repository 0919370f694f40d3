export {
  type AddressRules,
  type ApiSettings,
  type CloudSettings,
  controllerAccounts,
  type ElectionSettings,
  type LoggingSettings,
  type ManagerSettings,
} from './manager-settings.ts';
