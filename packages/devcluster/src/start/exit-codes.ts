/** The exit codes of the program. */
export const exitOk = 0;
/** Not as the KEP has it, or failed. */
export const exitFailed = 1;
/** An option, a port or a file that the user has to correct. */
export const exitBadInput = 2;
