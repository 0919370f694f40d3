/** The flags of the secure port: where it listens and with which certificate. */
import type { SniCertificate, TlsMinVersion } from '@tandem/serving';
import {
  accepted,
  bool,
  type DefaultedFlag,
  directory,
  file,
  type Flag,
  type FlagGroup,
  honoured,
  int,
  int32Max,
  ipAddress,
  port,
} from '@tandem/cli/flags';
import { cipherSuites, curves, sniCertificates, tlsVersion } from './tls.ts';

export const profiling: DefaultedFlag<boolean> = {
  name: 'profiling',
  type: bool,
  byDefault: 'true',
  support: honoured,
  help: 'Serve V8 CPU profiles at /debug/pprof to authorised callers.',
};

export const debugging: FlagGroup = {
  title: 'Debugging',
  flags: [
    profiling,
    {
      name: 'contention-profiling',
      type: bool,
      byDefault: 'false',
      support: accepted('JavaScript has no locks to profile', 'false'),
      help: 'Profile lock contention.',
    },
  ],
};

export const bindAddress: DefaultedFlag<string> = {
  name: 'bind-address',
  type: ipAddress,
  byDefault: '0.0.0.0',
  support: honoured,
  help: 'IP address to listen on. 0.0.0.0 and :: both mean all addresses of both IP families.',
};

export const securePort: DefaultedFlag<number> = {
  name: 'secure-port',
  type: port,
  byDefault: '10258',
  support: honoured,
  help: 'HTTPS port for health, metrics and other endpoints. 0 disables serving. A dry run serves only if this flag is given.',
};

export const certDir: Flag<string | undefined> = {
  name: 'cert-dir',
  type: directory,
  support: honoured,
  otherwise: 'none; the manager keeps both in memory',
  help: 'Directory for the certificate and key that the manager generates if no --tls-cert-file is given.',
};

export const tlsCertFile: Flag<string | undefined> = {
  name: 'tls-cert-file',
  type: file,
  support: honoured,
  otherwise: 'a self-signed certificate',
  help: 'Serving certificate, followed by its chain. Reloaded when the file changes.',
};

export const tlsPrivateKeyFile: Flag<string | undefined> = {
  name: 'tls-private-key-file',
  type: file,
  support: honoured,
  help: 'Private key for --tls-cert-file.',
};

export const tlsSniCertKey: Flag<readonly SniCertificate[]> = {
  name: 'tls-sni-cert-key',
  type: sniCertificates,
  support: honoured,
  help: 'Additional certificate and its key. Served for the names after the colon, or else for the names in the certificate. Repeatable.',
};

export const tlsCipherSuites: DefaultedFlag<readonly string[]> = {
  name: 'tls-cipher-suites',
  type: cipherSuites,
  byDefault: '',
  otherwise: 'suites with forward secrecy and authenticated encryption',
  support: honoured,
  help: 'Comma-separated TLS 1.2 cipher suites by Go name, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256. All TLS 1.3 suites are enabled unless the list names some of them.',
};

export const tlsCurvePreferences: DefaultedFlag<readonly number[]> = {
  name: 'tls-curve-preferences',
  type: curves,
  byDefault: '',
  otherwise: 'X25519 with and without ML-KEM, then P-256, P-384 and P-521',
  support: honoured,
  help: 'Comma-separated key-exchange curves by Go number, such as 29 for X25519.',
};

export const tlsMinVersion: DefaultedFlag<TlsMinVersion> = {
  name: 'tls-min-version',
  type: tlsVersion,
  byDefault: 'VersionTLS12',
  support: honoured,
  help: 'Minimum TLS version: VersionTLS12 or VersionTLS13.',
};

export const permitPortSharing: DefaultedFlag<boolean> = {
  name: 'permit-port-sharing',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: 'Allow other processes to listen on the same port (SO_REUSEPORT).',
};

const noHttp2 = 'Tandem does not serve HTTP/2';

export const secureServing: FlagGroup = {
  title: 'Secure serving',
  flags: [
    bindAddress,
    securePort,
    certDir,
    tlsCertFile,
    tlsPrivateKeyFile,
    tlsSniCertKey,
    tlsCipherSuites,
    tlsCurvePreferences,
    tlsMinVersion,
    permitPortSharing,
    {
      name: 'permit-address-sharing',
      type: bool,
      byDefault: 'false',
      support: accepted('Node.js sets SO_REUSEADDR on every listening socket', 'true'),
      help: 'Allow listening while connections of a previous process are closing (SO_REUSEADDR).',
    },
    {
      name: 'disable-http2-serving',
      type: bool,
      byDefault: 'false',
      support: accepted(noHttp2, 'true'),
      help: 'Do not serve HTTP/2.',
    },
    {
      name: 'http2-max-streams-per-connection',
      type: int({ min: 0, max: int32Max }),
      byDefault: '0',
      support: accepted(noHttp2, '0'),
      help: 'Maximum number of streams per HTTP/2 connection.',
    },
  ],
};
