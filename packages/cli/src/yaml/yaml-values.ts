/** A YAML file that is read to the end in spite of problems, so that all of them are reported at once. */
import { type Place, type Value, YamlReader } from './yaml-reader.ts';

export interface ConfigProblem extends Pick<Place, 'line' | 'path'> {
  readonly message: string;
}

export class YamlValues extends YamlReader<undefined> {
  readonly problems: ConfigProblem[] = [];

  constructor(text: string) {
    super(text);
    if (this.syntaxProblem !== undefined) this.problems.push(this.syntaxProblem);
  }

  /** Undefined if the file is not valid YAML. */
  get root(): Value | undefined {
    return this.syntaxProblem === undefined ? this.document : undefined;
  }

  override refuse({ line, path }: Pick<Place, 'line' | 'path'>, message: string): undefined {
    this.problems.push({ line, path, message });
  }

  /** The items of a list. Empty if there is no list; a value that is not a list is a problem. */
  list(value: Value | undefined, countMax: number): readonly Value[] {
    return (value && this.items(value, countMax)) ?? [];
  }
}

/** `config.yaml:12: nodeIPPolicies[0].request: …`, which editors can follow. */
export function formatProblem(file: string, { message, ...place }: ConfigProblem): string {
  return `${formatPlace(file, place)}: ${message}`;
}

/** The same without the message. */
export function formatPlace(file: string, { line, path }: Pick<Place, 'line' | 'path'>): string {
  return `${file}:${line}${path === '' ? '' : `: ${path}`}`;
}
