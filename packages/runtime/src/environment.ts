/**
 * The process environment as a port: code takes an `Environment` instead of reading `process.env`,
 * so that a test can hand in its own.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables this process was started with. */
export function systemEnvironment(): Environment {
  return process.env;
}
