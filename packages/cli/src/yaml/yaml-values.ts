/** A YAML file that is read to its end, whatever is wrong with it, so that all problems are reported at once. */
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

  /** Undefined where the file is not YAML. */
  get root(): Value | undefined {
    return this.syntaxProblem === undefined ? this.document : undefined;
  }

  override refuse({ line, path }: Pick<Place, 'line' | 'path'>, message: string): undefined {
    this.problems.push({ line, path, message });
  }

  /** Empty also where there is no list, which is a problem. */
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
