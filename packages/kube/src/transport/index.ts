export { connectionFailed } from './connection-failure.ts';
export { createTransport, userAgent } from './create-transport.ts';
export { tracedTransport } from './traced-transport.ts';
export {
  type KubeTransport,
  type Method,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
