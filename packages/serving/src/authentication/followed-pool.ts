/**
 * Authorities from a file that an operator may replace at any time. An unusable file at the start is an error. Later, the
 * last good authorities stay in use, and the log says so.
 */
import { type Logger, unreadableFile } from '@tandem/runtime';
import { AuthorityPool } from '../certificates/authority-pool.ts';
import { readCertificates } from '../certificates/pem.ts';
import type { ServingFiles } from '../files.ts';
import { ServingError } from '../serving-error.ts';

export class FollowedPool {
  readonly #path: string;
  readonly #flag: string;
  readonly #files: ServingFiles;
  readonly #logger: Logger;
  #text = '';
  #pool = new AuthorityPool([]);
  #toldProblem: string | undefined;

  constructor(parts: { path: string; flag: string; files: ServingFiles; logger: Logger }) {
    this.#path = parts.path;
    this.#flag = parts.flag;
    this.#files = parts.files;
    this.#logger = parts.logger;
  }

  get pool(): AuthorityPool {
    return this.#pool;
  }

  /** Rejects with a `ServingError`. */
  async load(): Promise<void> {
    const text = await this.#read();
    if (text === this.#text) return;
    const certificates = readCertificates(text);
    if (certificates === undefined) {
      throw new ServingError('ServingCertificateInvalid', {
        problem: `${this.#flag}: ${this.#path} has no readable CA certificates.`,
        fix: 'Use a file of complete certificates in PEM format.',
      });
    }
    const isFirst = this.#text === '';
    this.#text = text;
    this.#pool = new AuthorityPool(certificates);
    if (!isFirst) this.#logger.info({ path: this.#path }, 'Reloaded CA certificates');
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    try {
      await this.load();
      this.#toldProblem = undefined;
    } catch (err) {
      const problem = err instanceof Error ? err.message : 'unknown';
      if (problem === this.#toldProblem) return;
      this.#toldProblem = problem;
      this.#logger.warn(
        { problem },
        'Kept the previous CA certificates, the new ones are unusable',
      );
    }
  }

  async #read(): Promise<string> {
    try {
      return await this.#files.read(this.#path);
    } catch (err) {
      throw new ServingError('ServingCertificateInvalid', {
        problem: unreadableFile(err, { namedBy: this.#flag, path: this.#path }).problem,
        fix: 'Use a file of certificates in PEM format that the manager can read.',
        cause: err,
      });
    }
  }
}
