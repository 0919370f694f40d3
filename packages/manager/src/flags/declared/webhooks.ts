/** The flags of webhooks, of which upstream ships none and Tandem has none: their port is never opened. */
import { accepted, type AnyFlag, type FlagGroup, refused } from '../flag.ts';
import {
  bool,
  cipherSuites,
  curves,
  file,
  ipAddress,
  port,
  sniCertificates,
  texts,
  tlsVersion,
} from '../values/index.ts';

export const webhook: FlagGroup = {
  title: 'Webhook',
  flags: [
    {
      name: 'webhooks',
      type: texts,
      byDefault: '',
      standing: refused('Tandem serves no webhooks: leave the flag out', ''),
      help: 'The webhooks to serve. Upstream ships none either.',
    },
  ],
};

const noWebhooks = 'Tandem serves no webhooks and does not open their port';

const settingsOfThePort: readonly Pick<AnyFlag, 'name' | 'type' | 'help' | 'byDefault'>[] = [
  { name: 'bind-address', type: ipAddress, byDefault: '0.0.0.0', help: 'address' },
  { name: 'cert-dir', type: file, help: 'directory of certificates' },
  { name: 'tls-cert-file', type: file, help: 'certificate' },
  { name: 'tls-private-key-file', type: file, help: 'key' },
  { name: 'tls-sni-cert-key', type: sniCertificates, help: 'further certificates' },
  { name: 'tls-cipher-suites', type: cipherSuites, help: 'cipher suites' },
  { name: 'tls-curve-preferences', type: curves, help: 'curves' },
  { name: 'tls-min-version', type: tlsVersion, byDefault: 'VersionTLS12', help: 'oldest TLS' },
  { name: 'disable-http2-serving', type: bool, byDefault: 'false', help: 'lack of HTTP/2' },
];

export const webhookServing: FlagGroup = {
  title: 'Webhook serving',
  flags: [
    {
      name: 'webhook-secure-port',
      type: port,
      byDefault: '10260',
      standing: accepted(noWebhooks, '0'),
      help: 'The port of webhooks.',
    },
    ...settingsOfThePort.map(({ name, help, ...rest }) => ({
      ...rest,
      name: `webhook-${name}`,
      standing: accepted(noWebhooks),
      help: `The webhook port's ${help}.`,
    })),
  ],
};
