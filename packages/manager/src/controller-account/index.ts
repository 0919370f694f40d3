export { type ControllerConnections, openControllerConnections } from './controller-connections.ts';
