/** A program that writes nodes, measured from outside as a process. */
export interface Contender {
  readonly name: string;
  /** Resolves when the process runs. */
  start(): Promise<RunningContender>;
}

export interface RunningContender {
  readonly pid: number;
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<unknown>;
  /** Asks it to end, and waits for that. */
  stop(): Promise<void>;
  /** Its output so far. */
  log(): Promise<string>;
}
