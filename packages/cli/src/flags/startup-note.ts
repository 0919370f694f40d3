/** Something that people should read in the log when the program starts. */
export interface StartupNote {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}
