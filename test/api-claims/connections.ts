/** Ways to one API server over HTTPS for whoever has a token, all closed together at the end. */
import type { Credentials, Identity } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';

export class Connections {
  readonly #server: () => { readonly server: string; readonly ca: string };
  readonly #open: KubeTransport[] = [];

  /** The server need not be there yet. */
  constructor(server: () => { readonly server: string; readonly ca: string }) {
    this.#server = server;
  }

  /** For a session's `connectAs`. */
  readonly as = (token: string): KubeTransport => {
    const { server, ca } = this.#server();
    const identity: Identity = {
      tls: { ca, isVerified: true },
      headers: { authorization: `Bearer ${token}` },
    };
    const credentials: Credentials = {
      server,
      identity: async () => identity,
      renew: async () => undefined,
    };
    const transport = createTransport({ credentials, userAgent: 'tandem-tests' });
    this.#open.push(transport);
    return transport;
  };

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((transport) => transport.close()));
  }
}
