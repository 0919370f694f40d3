/** Something that writes nodes, as a process that is measured from outside. */
export interface Contender {
  readonly name: string;
  /** Resolves when the process runs. */
  start(): Promise<RunningContender>;
}

export interface RunningContender {
  readonly pid: number;
  /** Resolves when it has ended, asked or not. */
  readonly ended: Promise<unknown>;
  /** Asks it to end, and waits for that. */
  stop(): Promise<void>;
  /** What it has written so far. */
  log(): Promise<string>;
}
