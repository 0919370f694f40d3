/**
 * The flags of the secure port's socket and certificates, and the settings that result from them. Ciphers, curves and
 * versions of TLS have Go's names, which users know from other components of Kubernetes.
 */
import {
  accepted,
  bool,
  directory,
  file,
  type FlagGroup,
  type GivenFlags,
  int,
  int32Max,
  invalid,
  ipAddress,
  list,
  port,
  repeated,
  single,
  value,
  type ValueType,
} from '@tandem/cli/flags';
import type {
  CertificateSource,
  ServingSettings,
  SniCertificate,
  TlsMinVersion,
} from '../serving-settings.ts';

/** Accepts any suite name. `tlsProblems` checks which of them OpenSSL supports. */
const cipherSuites: ValueType<readonly string[]> = list('ciphers', (text) =>
  /^TLS_[A-Z0-9_]{1,60}$/.test(text)
    ? value(text)
    : invalid('is not a cipher suite name, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'),
);

/** By Go's numbers. */
const curves: ValueType<readonly number[]> = list('numbers', (text) =>
  /^[1-9]\d{0,4}$/.test(text)
    ? value(Number(text))
    : invalid('is not a curve number, such as 29 for X25519'),
);

const tlsVersion: ValueType<TlsMinVersion> = single('version', (text) => {
  // Upstream treats an empty version as its default, and charts write it.
  if (text === '') return value('VersionTLS12');
  if (text === 'VersionTLS12' || text === 'VersionTLS13') return value(text);
  return text === 'VersionTLS10' || text === 'VersionTLS11'
    ? invalid('is insecure and not supported: use VersionTLS12 or VersionTLS13')
    : invalid('is neither VersionTLS12 nor VersionTLS13');
});

/** `cert.pem,key.pem` or `cert.pem,key.pem:name,*.name`. */
const sniCertificates: ValueType<readonly SniCertificate[]> = repeated(
  'cert,key[:names]',
  (text) => {
    const colon = text.indexOf(':');
    const pair = colon < 0 ? text : text.slice(0, colon);
    const [certFile = '', keyFile = '', ...more] = pair.split(',').map((path) => path.trim());
    if (certFile === '' || keyFile === '' || more.length > 0) {
      return invalid('is not a pair of files: write CERT,KEY or CERT,KEY:NAME,NAME');
    }
    const names = colon < 0 ? [] : text.slice(colon + 1).split(',');
    const trimmed = names.map((name) => name.trim());
    if (trimmed.includes('')) return invalid('has an empty name after the colon');
    return value({ certFile, keyFile, names: trimmed });
  },
);

const noHttp2 = 'Tandem does not serve HTTP/2';

const flags = {
  bindAddress: {
    name: 'bind-address',
    type: ipAddress,
    byDefault: '0.0.0.0',
    help: 'IP address to listen on. 0.0.0.0 and :: both mean all addresses of both IP families.',
  },
  securePort: {
    name: 'secure-port',
    type: port,
    byDefault: '10258',
    help: 'HTTPS port for health, metrics and other endpoints. 0 disables serving. A dry run serves only if this flag is given.',
  },
  certDir: {
    name: 'cert-dir',
    type: directory,
    otherwise: 'none; the manager keeps both in memory',
    help: 'Directory for the certificate and key that the manager generates if no --tls-cert-file is given.',
  },
  tlsCertFile: {
    name: 'tls-cert-file',
    type: file,
    otherwise: 'a self-signed certificate',
    help: 'Serving certificate, followed by its chain. Reloaded when the file changes.',
  },
  tlsPrivateKeyFile: {
    name: 'tls-private-key-file',
    type: file,
    help: 'Private key for --tls-cert-file.',
  },
  tlsSniCertKey: {
    name: 'tls-sni-cert-key',
    type: sniCertificates,
    help: 'Additional certificate and its key. Served for the names after the colon, or else for the names in the certificate. Repeatable.',
  },
  tlsCipherSuites: {
    name: 'tls-cipher-suites',
    type: cipherSuites,
    byDefault: '',
    otherwise: 'suites with forward secrecy and authenticated encryption',
    help: 'Comma-separated TLS 1.2 cipher suites by Go name, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256. All TLS 1.3 suites are enabled unless the list names some of them.',
  },
  tlsCurvePreferences: {
    name: 'tls-curve-preferences',
    type: curves,
    byDefault: '',
    otherwise: 'X25519 with and without ML-KEM, then P-256, P-384 and P-521',
    help: 'Comma-separated key-exchange curves by Go number, such as 29 for X25519.',
  },
  tlsMinVersion: {
    name: 'tls-min-version',
    type: tlsVersion,
    byDefault: 'VersionTLS12',
    help: 'Minimum TLS version: VersionTLS12 or VersionTLS13.',
  },
  permitPortSharing: {
    name: 'permit-port-sharing',
    type: bool,
    byDefault: 'false',
    help: 'Allow other processes to listen on the same port (SO_REUSEPORT).',
  },
  permitAddressSharing: {
    name: 'permit-address-sharing',
    type: bool,
    byDefault: 'false',
    support: accepted('Node.js sets SO_REUSEADDR on every listening socket', 'true'),
    help: 'Allow listening while connections of a previous process are closing (SO_REUSEADDR).',
  },
  disableHttp2: {
    name: 'disable-http2-serving',
    type: bool,
    byDefault: 'false',
    support: accepted(noHttp2, 'true'),
    help: 'Do not serve HTTP/2.',
  },
  http2MaxStreams: {
    name: 'http2-max-streams-per-connection',
    type: int({ min: 0, max: int32Max }),
    byDefault: '0',
    support: accepted(noHttp2, '0'),
    help: 'Maximum number of streams per HTTP/2 connection.',
  },
};

export const secureServingFlags: FlagGroup = {
  title: 'Secure serving',
  flags: Object.values(flags),
};

type SocketSettings = Omit<ServingSettings, 'authentication' | 'authorization' | 'profiling'>;

/** Reads the socket. A dry run serves only with an explicit `--secure-port`: a running manager may have the default. */
export function readSocket(
  given: GivenFlags,
  { isDryRun, problems }: { readonly isDryRun: boolean; readonly problems: string[] },
): SocketSettings {
  const hasNoPort = isDryRun && !given.isGiven(flags.securePort);
  return {
    bindAddress: given.of(flags.bindAddress),
    port: hasNoPort ? 0 : given.of(flags.securePort),
    permitPortSharing: given.of(flags.permitPortSharing),
    certificate: readCertificate(given, problems),
    sniCertificates: given.find(flags.tlsSniCertKey) ?? [],
    tls: {
      cipherSuites: given.of(flags.tlsCipherSuites),
      curvePreferences: given.of(flags.tlsCurvePreferences),
      minVersion: given.of(flags.tlsMinVersion),
    },
  };
}

function readCertificate(given: GivenFlags, problems: string[]): CertificateSource {
  const { tlsCertFile, tlsPrivateKeyFile, certDir } = flags;
  const certFile = given.find(tlsCertFile);
  const keyFile = given.find(tlsPrivateKeyFile);
  if (certFile !== undefined && keyFile !== undefined) return { kind: 'files', certFile, keyFile };
  if (certFile !== undefined)
    problems.push(`--${tlsCertFile.name} requires --${tlsPrivateKeyFile.name}`);
  if (keyFile !== undefined)
    problems.push(`--${tlsPrivateKeyFile.name} requires --${tlsCertFile.name}`);
  const dir = given.find(certDir);
  return dir === undefined ? { kind: 'self-signed' } : { kind: 'directory', directory: dir };
}
