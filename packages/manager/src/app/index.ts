export { App, type AppPorts, type AppStatus } from './app.ts';
