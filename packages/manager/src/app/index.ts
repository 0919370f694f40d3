export { App, type AppPorts, type AppStatus } from './app.ts';
export { runningManagedControllers } from './controllers.ts';
