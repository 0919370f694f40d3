/**
 * The errors that users see here. The message says what went wrong, what to do about it and, if a program wrote one,
 * which log to read. The command line prints exactly that, without a stack.
 */
type ControlPlaneErrorCode =
  | 'ProgramsUnavailable'
  | 'DirectoryUnusable'
  | 'PortTaken'
  | 'ProgramEnded'
  | 'ProgramNotReady';

export class ControlPlaneError extends Error {
  readonly code: ControlPlaneErrorCode;
  readonly fix: string;
  readonly logFile: string | undefined;

  constructor(
    code: ControlPlaneErrorCode,
    facts: { problem: string; fix: string; logFile?: string | undefined; cause?: unknown },
  ) {
    const log = facts.logFile === undefined ? [] : [`Log: ${facts.logFile}`];
    super([facts.problem, ...log, `Fix: ${facts.fix}`].join('\n'), { cause: facts.cause });
    this.name = 'ControlPlaneError';
    this.code = code;
    this.fix = facts.fix;
    this.logFile = facts.logFile;
  }
}
