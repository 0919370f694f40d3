/**
 * Implements kubectl's completion of plugins: kubectl runs `kubectl_complete-nodeip` with the words of the command line,
 * the last of which is incomplete, and expects one completion on each line, and a directive of cobra after a colon.
 */
import type { OptionTable } from '@tandem/cli/options';

/** Directives of cobra: the list is complete, or the shell completes names of files. */
const noFiles = ':4';
const filesToo = ':0';

export interface CompletionParts {
  readonly commands: readonly string[];
  /** Returns the options of a command; undefined if the word is not a command. */
  readonly optionsOf: (command: string) => Promise<OptionTable | undefined>;
  /** The names of the cluster's nodes; none if they cannot be read. */
  readonly nodeNames: () => Promise<readonly string[]>;
  /** The contexts of the kubeconfig; none if it cannot be read. */
  readonly contextNames: () => Promise<readonly string[]>;
}

export async function complete(words: readonly string[], parts: CompletionParts): Promise<string> {
  // The shell itself restores the text before a value, such as `--output=`.
  const typed = (words.at(-1) ?? '').replace(/^--[^=]*=/, '');
  const value = await valueBeingTyped(words, parts);
  if (value === fileValue) return `${filesToo}\n`;
  const all = value === undefined ? await candidates(words, parts) : await choices(value, parts);
  const found = all.filter((one) => one.startsWith(typed));
  return `${[...found, noFiles].join('\n')}\n`;
}

/** The placeholder for a file in the help of an option. */
const fileValue = 'FILE';
const contextValue = 'CONTEXT';

/** Returns the placeholder of the value that is being typed; undefined if it is an option, a command or a node. */
async function valueBeingTyped(
  words: readonly string[],
  { optionsOf }: CompletionParts,
): Promise<string | undefined> {
  const [command = ''] = words;
  const options = words.length < 2 ? undefined : await optionsOf(command);
  if (options === undefined) return undefined;
  const inline = /^(--[^=]*)=/.exec(words.at(-1) ?? '')?.[1];
  return inline === undefined
    ? valueAfter(words.at(-2) ?? '', options)
    : (valueAfter(inline, options) ?? '');
}

async function choices(
  value: string,
  { contextNames }: CompletionParts,
): Promise<readonly string[]> {
  if (value === contextValue) return contextNames();
  if (!value.includes('|')) return [];
  const [, name = '', alternatives = ''] = /^([^|]*=)?(.*)$/.exec(value) ?? [];
  return alternatives.split('|').map((one) => `${name}${one}`);
}

async function candidates(
  words: readonly string[],
  { commands, optionsOf, nodeNames }: CompletionParts,
): Promise<readonly string[]> {
  const [command = ''] = words;
  if (words.length < 2) return commands;
  const options = await optionsOf(command);
  if (options === undefined) return [];
  const typed = words.at(-1) ?? '';
  if (typed.startsWith('-')) return Object.keys(options).map((name) => `--${name}`);
  return command === 'explain' && !hasPositional(words.slice(1, -1), options) ? nodeNames() : [];
}

/** Returns the placeholder of the option that a word names; undefined for a switch and for any other word. */
function valueAfter(word: string, options: OptionTable): string | undefined {
  const named = Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
  return named?.[1].value;
}

function hasPositional(words: readonly string[], options: OptionTable): boolean {
  return words.some(
    (word, index) =>
      !word.startsWith('-') && valueAfter(words[index - 1] ?? '', options) === undefined,
  );
}
