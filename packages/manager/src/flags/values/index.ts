export { brake } from './brake.ts';
export { cipherSuites, curves, sniCertificates, tlsVersion } from './tls.ts';
