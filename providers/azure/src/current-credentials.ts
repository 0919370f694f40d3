/**
 * Keeps the credentials of azure.json up to date. Secrets are rotated while the program runs, so the provider reads the
 * file, and the certificate that it names, again when Entra ID or Azure refuses the current ones. All other settings of
 * the file take effect only at start.
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

  /** Reads the credentials for the first time. Rejects if they cannot be read. */
  static async open(read: () => Promise<CredentialSource>): Promise<CurrentCredentials> {
    return new CurrentCredentials(read, await read());
  }

  /** Makes a credential from the settings that were read last. */
  make(cloud: Cloud, tenantId?: string): ReturnType<CredentialSource> {
    return this.#source(cloud, tenantId);
  }

  /** Reads the credentials again. If that fails, the previous ones stay. */
  async readAgain(logger: Logger): Promise<void> {
    try {
      this.#source = await this.#read();
    } catch (err) {
      logger.warn({ err }, 'Could not read the refused credentials again');
    }
  }
}
