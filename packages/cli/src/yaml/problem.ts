/**
 * What is wrong with the configuration file, and where: the line for the eye, the path for the mind. Only
 * names of fields and the one value at fault are repeated, never the text around them: people keep secrets
 * in files that they mistake for this one.
 */
export interface ConfigProblem {
  readonly line: number;
  /** Such as `nodeIPPolicies[0].request`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** `config.yaml:12: nodeIPPolicies[0].request: …`, which editors can follow. */
export function formatProblem(file: string, { message, ...place }: ConfigProblem): string {
  return `${formatPlace(file, place)}: ${message}`;
}

/** The same without the message. */
export function formatPlace(
  file: string,
  { line, path }: Pick<ConfigProblem, 'line' | 'path'>,
): string {
  return `${file}:${line}${path === '' ? '' : `: ${path}`}`;
}
