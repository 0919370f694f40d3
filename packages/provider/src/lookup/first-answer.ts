/**
 * Logs once whether the cloud answers at all. Bad credentials show only in answers, and on a cluster whose nodes are all
 * initialised no node would report them, so the log would stay silent. After the first answer, the metrics of cloud calls
 * show failures.
 */
import type { CcmError, Logger } from '@tandem/runtime';
import { fieldOf } from '../calls/index.ts';
import type { CallResult } from './call-provider.ts';

export class FirstAnswer {
  readonly #provider: string;
  readonly #logger: Logger;
  #failures = 0;
  #isOver = false;

  constructor(provider: string, logger: Logger) {
    this.#provider = provider;
    this.#logger = logger;
  }

  /** Records the end of a call. One answer about one node proves that the cloud answers. */
  note({ answers }: Pick<CallResult, 'answers'>): void {
    if (this.#isOver) return;
    const [first] = answers;
    const isAnswered = answers.some(({ kind }) => kind !== 'unknown');
    if (isAnswered) this.#end();
    else if (first?.kind === 'unknown') this.#fail(first.err);
  }

  #end(): void {
    this.#isOver = true;
    const facts = { provider: this.#provider, failures: this.#failures };
    if (this.#failures > 0) this.#logger.info(facts, 'Cloud answered after earlier failures');
  }

  #fail(err: CcmError): void {
    this.#failures++;
    if (this.#failures > 1) return;
    const facts = { provider: this.#provider, code: codeOf(err), err, fix: fixOf(err) };
    this.#logger.warn(facts, 'First look-up in the cloud failed, trying again');
  }
}

/** If the cloud refuses permanently, its message has the reason, and the error that the cloud sent is the cause. */
function fixOf({ retry, cause }: CcmError): string {
  if (typeof retry === 'object') return 'None. The manager asks again as soon as the cloud allows';
  return fieldOf(cause, 'retry') === 'never'
    ? 'Correct what the message names: the credentials of the provider, their permissions, or the clock of this machine'
    : 'Check the connection to the cloud, the status of the cloud, and the credentials of the provider';
}

/** Returns the provider's own code, if it is more precise. */
function codeOf({ code, cause }: CcmError): string {
  const own: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'CloudCallFailed' && typeof own === 'string' ? own : code;
}
