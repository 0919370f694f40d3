/** The flags of webhooks, of which upstream ships none and Tandem has none: their port is never opened. */
import {
  accepted,
  type AnyFlag,
  bool,
  directory,
  file,
  type FlagGroup,
  ipAddress,
  port,
  refused,
  texts,
} from '@tandem/cli/flags';
import { cipherSuites, curves, sniCertificates, tlsVersion } from './tls.ts';

export const webhook: FlagGroup = {
  title: 'Webhook',
  flags: [
    {
      name: 'webhooks',
      type: texts,
      byDefault: '',
      support: refused('Tandem serves no webhooks. Remove the flag', ''),
      help: 'Webhooks to serve. Upstream has none either.',
    },
  ],
};

const noWebhooks = 'Tandem serves no webhooks and opens no webhook port';

const settingsOfThePort: readonly Pick<AnyFlag, 'name' | 'type' | 'help' | 'byDefault'>[] = [
  {
    name: 'bind-address',
    type: ipAddress,
    byDefault: '0.0.0.0',
    help: 'IP address of the webhook port.',
  },
  { name: 'cert-dir', type: directory, help: 'Certificate directory of the webhook port.' },
  { name: 'tls-cert-file', type: file, help: 'Certificate of the webhook port.' },
  { name: 'tls-private-key-file', type: file, help: 'Private key of the webhook port.' },
  {
    name: 'tls-sni-cert-key',
    type: sniCertificates,
    help: 'Additional certificates of the webhook port.',
  },
  { name: 'tls-cipher-suites', type: cipherSuites, help: 'Cipher suites of the webhook port.' },
  { name: 'tls-curve-preferences', type: curves, help: 'Key-exchange curves of the webhook port.' },
  {
    name: 'tls-min-version',
    type: tlsVersion,
    byDefault: 'VersionTLS12',
    help: 'Minimum TLS version of the webhook port.',
  },
  {
    name: 'disable-http2-serving',
    type: bool,
    byDefault: 'false',
    help: 'Do not serve HTTP/2 on the webhook port.',
  },
];

export const webhookServing: FlagGroup = {
  title: 'Webhook serving',
  flags: [
    {
      name: 'webhook-secure-port',
      type: port,
      byDefault: '10260',
      support: accepted(noWebhooks, '0'),
      help: 'Port for webhooks.',
    },
    ...settingsOfThePort.map(({ name, ...rest }) => ({
      ...rest,
      name: `webhook-${name}`,
      support: accepted(noWebhooks),
    })),
  ],
};
