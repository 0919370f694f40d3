export { type ForwardedPort, type ForwardOptions, forwardPort } from './forward-port.ts';
