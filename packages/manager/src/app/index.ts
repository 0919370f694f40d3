export { App, type AppStatus } from './app.ts';
export { runningManagedControllers } from './controllers.ts';
