export { createTransport, type TransportOptions } from './create-transport.ts';
export {
  type KubeTransport,
  type Method,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
export { userAgent } from './user-agent.ts';
