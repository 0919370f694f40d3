export {
  type KubeTransport,
  type Method,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
