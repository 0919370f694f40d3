/**
 * Says once whether the cloud can be asked at all. A provider cannot be examined before there is a node
 * to ask about, and bad credentials show nowhere but in its answers: where all nodes are initialised
 * nothing would be refused because of them, and the log would stay silent. After the first answer the
 * metrics of cloud calls are the place to look.
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

  /** A call has ended. One answer about one node proves that the cloud can be asked. */
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

/** What a cloud refuses for good, it refuses for a reason that its message has. It is the cause here. */
function fixOf({ retry, cause }: CcmError): string {
  if (typeof retry === 'object') return 'None. The manager asks again as soon as the cloud allows';
  return fieldOf(cause, 'retry') === 'never'
    ? 'Correct what the message names: the credentials of the provider, their permissions, or the clock of this machine'
    : 'Check the connection to the cloud, the status of the cloud, and the credentials of the provider';
}

/** What the provider itself calls it, where that says more. */
function codeOf({ code, cause }: CcmError): string {
  const own: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'CloudCallFailed' && typeof own === 'string' ? own : code;
}
