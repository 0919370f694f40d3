/** The exit codes of every command. */
export const exitOk = 0;
/** `audit` found a breach. */
export const exitBreach = 1;
/** An unknown option, a value that makes no sense, a line that cannot be read, a node that does not exist. */
export const exitBadInput = 2;
/** The question was understood and the answer is that the request is refused. */
export const exitRefused = 3;
/**
 * The cluster cannot be reached, or does not let the user read what is needed; or `audit` found no breach but could not
 * check everything that was asked for, so that a pipeline does not pass on half an audit.
 */
export const exitUnread = 4;
