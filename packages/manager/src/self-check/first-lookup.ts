/**
 * Says once whether the cloud can be asked at all. A provider cannot be examined before there is a node
 * to ask about, and bad credentials show nowhere but in its answers: where all nodes are initialised
 * nothing would be refused because of them, and the log would stay silent. After the first answer the
 * metrics of cloud calls are the place to look.
 */
import { LookupError } from '@tandem/provider/lookup';
import type { LookupAnswers, LookupOptions, NodeRef, Provider } from '@tandem/provider/plug';
import { DeadlineExceededError, type Logger, untilAborted } from '@tandem/runtime';

/** The same provider, whose first failure and first answer are told. */
export function tellFirstLookup(provider: Provider, logger: Logger): Provider {
  const story = new FirstLookup(provider.name, logger);
  const { limits } = provider;
  return {
    name: provider.name,
    ...(limits === undefined ? {} : { limits }),
    owns: (providerID) => provider.owns(providerID),
    lookup: (nodes, options) =>
      story.isOver ? provider.lookup(nodes, options) : story.follow(provider, nodes, options),
    close: async () => provider.close?.(),
  };
}

class FirstLookup {
  readonly #name: string;
  readonly #logger: Logger;
  #failures = 0;
  isOver = false;

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  async follow(
    provider: Provider,
    nodes: readonly NodeRef[],
    options: LookupOptions,
  ): Promise<LookupAnswers> {
    try {
      // One that does not listen to the signal has failed too when its time is up.
      const answers = await untilAborted(options.signal, provider.lookup(nodes, options));
      this.#note(failureIn(answers), options.signal);
      return answers;
    } catch (err) {
      this.#note({ err }, options.signal);
      throw err;
    }
  }

  #note(failure: { readonly err: unknown } | undefined, signal: AbortSignal): void {
    if (this.isOver) return;
    if (failure === undefined) {
      this.isOver = true;
      const facts = { provider: this.#name, failures: this.#failures };
      if (this.#failures > 0) this.#logger.info(facts, 'The cloud answered, after it had failed');
      return;
    }
    // The program ends, and the cloud has nothing to do with it.
    if (signal.aborted && !(signal.reason instanceof DeadlineExceededError)) return;
    this.#failures++;
    if (this.#failures > 1) return;
    const { err } = failure;
    const facts = { provider: this.#name, code: codeOf(err), err, fix };
    this.#logger.warn(facts, 'The first look-up in the cloud failed, it is tried again');
  }
}

const fix = 'Check the credentials of the provider, their permissions, and the way to the cloud';

/**
 * Why no node got an answer. One that did proves that the cloud can be asked. What comes from somebody
 * else's module may be anything, and is left as it is for those who read it.
 */
function failureIn(answers: unknown): { readonly err: unknown } | undefined {
  const values: unknown[] = answers instanceof Map ? [...answers.values()] : [];
  const kinds = values.map((value) => fieldOf(value, 'kind'));
  if (kinds.some((kind) => kind === 'found' || kind === 'absent')) return undefined;
  const unknown = values.find((_, index) => kinds[index] === 'unknown');
  return { err: fieldOf(unknown, 'err') ?? nothingUsable() };
}

function nothingUsable(): LookupError {
  return new LookupError('CloudAnswerMalformed', 'No answer about any node could be used');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** As the look-up calls it that everybody sees. */
function codeOf(err: unknown): string {
  if (err instanceof DeadlineExceededError) return 'CloudCallTimedOut';
  const hasCode = err instanceof Error && 'code' in err && typeof err.code === 'string';
  return hasCode ? String(err.code) : 'CloudCallFailed';
}
