/** The exit codes of every command. */
export const exitOk = 0;
/** An unknown option, a value that makes no sense, a line that cannot be read. */
export const exitBadInput = 2;
/** The question was understood and the answer is that the request is refused. */
export const exitRefused = 3;
