/** The flags of the secure port: where it listens and with which certificate. */
import type { SniCertificate, TlsMinVersion } from '../../serving/serving-settings.ts';
import { accepted, type DefaultedFlag, type Flag, type FlagGroup, honoured } from '../flag.ts';
import {
  bool,
  cipherSuites,
  curves,
  file,
  int,
  int32Max,
  ipAddress,
  port,
  sniCertificates,
  tlsVersion,
} from '../values/index.ts';

export const profiling: DefaultedFlag<boolean> = {
  name: 'profiling',
  type: bool,
  byDefault: 'true',
  standing: honoured,
  help: 'Serve CPU profiles of V8 below /debug/pprof, to those who are authorised.',
};

export const debugging: FlagGroup = {
  title: 'Debugging',
  flags: [
    profiling,
    {
      name: 'contention-profiling',
      type: bool,
      byDefault: 'false',
      standing: accepted('JavaScript has no locks to profile', 'false'),
      help: 'Whether waits for locks are profiled.',
    },
  ],
};

export const bindAddress: DefaultedFlag<string> = {
  name: 'bind-address',
  type: ipAddress,
  byDefault: '0.0.0.0',
  standing: honoured,
  help: 'The address to listen on; 0.0.0.0 and :: both stand for every address of every family.',
};

export const securePort: DefaultedFlag<number> = {
  name: 'secure-port',
  type: port,
  byDefault: '10258',
  standing: honoured,
  help: 'The port for health, metrics and the rest, always with TLS; 0 to serve nothing.',
};

export const certDir: Flag<string | undefined> = {
  name: 'cert-dir',
  type: file,
  standing: honoured,
  otherwise: 'in memory',
  help: 'Where the certificate and key are kept that the manager makes when it is given none.',
};

export const tlsCertFile: Flag<string | undefined> = {
  name: 'tls-cert-file',
  type: file,
  standing: honoured,
  otherwise: 'a self-signed one',
  help: 'The certificate to serve with, followed by its chain. Read again when it changes.',
};

export const tlsPrivateKeyFile: Flag<string | undefined> = {
  name: 'tls-private-key-file',
  type: file,
  standing: honoured,
  help: 'The key of --tls-cert-file.',
};

export const tlsSniCertKey: Flag<readonly SniCertificate[]> = {
  name: 'tls-sni-cert-key',
  type: sniCertificates,
  standing: honoured,
  help: 'A further certificate and its key, for the names after the colon or those in the certificate; repeat for each.',
};

export const tlsCipherSuites: DefaultedFlag<readonly string[]> = {
  name: 'tls-cipher-suites',
  type: cipherSuites,
  byDefault: '',
  otherwise: 'those with forward secrecy and authenticated encryption',
  standing: honoured,
  help: "The cipher suites of TLS 1.2 by Go's names, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256. Those of TLS 1.3 are all on where none of them is named.",
};

export const tlsCurvePreferences: DefaultedFlag<readonly number[]> = {
  name: 'tls-curve-preferences',
  type: curves,
  byDefault: '',
  otherwise: 'X25519 with and without ML-KEM, then P-256, P-384 and P-521',
  standing: honoured,
  help: "The curves of key exchanges by Go's numbers, such as 29 for X25519.",
};

export const tlsMinVersion: DefaultedFlag<TlsMinVersion> = {
  name: 'tls-min-version',
  type: tlsVersion,
  byDefault: 'VersionTLS12',
  standing: honoured,
  help: 'The oldest version of TLS that is spoken: VersionTLS12 or VersionTLS13.',
};

export const permitPortSharing: DefaultedFlag<boolean> = {
  name: 'permit-port-sharing',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: 'Let another process listen on the same port (SO_REUSEPORT).',
};

const noHttp2 = 'HTTP/2 is not offered';

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
      standing: accepted(
        'Node.js lets every listening socket share its address (SO_REUSEADDR)',
        'true',
      ),
      help: 'Whether an address may be listened on while connections of a predecessor are closing.',
    },
    {
      name: 'disable-http2-serving',
      type: bool,
      byDefault: 'false',
      standing: accepted(noHttp2, 'true'),
      help: 'Whether HTTP/2 is left out.',
    },
    {
      name: 'http2-max-streams-per-connection',
      type: int({ min: 0, max: int32Max }),
      byDefault: '0',
      standing: accepted(noHttp2, '0'),
      help: 'How many streams an HTTP/2 connection may have.',
    },
  ],
};
