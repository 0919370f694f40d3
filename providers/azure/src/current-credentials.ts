/**
 * The credentials of azure.json as they are now. Secrets are rotated while the program runs, so that the file,
 * and the certificate that it names, are read again when Entra ID or Azure refuses what was read before. All
 * else in the file counts from the start only.
 */
import type { Logger } from '@tandem/runtime';
import type { Cloud } from './config/index.ts';
import type { CredentialSource } from './credentials.ts';

export class CurrentCredentials {
  readonly #read: () => Promise<CredentialSource>;
  #source: CredentialSource;

  private constructor(read: () => Promise<CredentialSource>, source: CredentialSource) {
    this.#read = read;
    this.#source = source;
  }

  /** Rejects where they cannot be read. */
  static async open(read: () => Promise<CredentialSource>): Promise<CurrentCredentials> {
    return new CurrentCredentials(read, await read());
  }

  /** Makes a credential of what was read last. */
  make(cloud: Cloud, tenantId?: string): ReturnType<CredentialSource> {
    return this.#source(cloud, tenantId);
  }

  /** Keeps what was read before where it cannot be read now. */
  async readAgain(logger: Logger): Promise<void> {
    try {
      this.#source = await this.#read();
    } catch (err) {
      logger.warn({ err }, 'Could not read the refused credentials again');
    }
  }
}
