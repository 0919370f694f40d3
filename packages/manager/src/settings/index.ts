export type {
  ApiSettings,
  CloudSettings,
  ControllerName,
  ElectionSettings,
  LifecycleControllerSettings,
  LoggingSettings,
  ManagerSettings,
  NodeControllerSettings,
} from './manager-settings.ts';
