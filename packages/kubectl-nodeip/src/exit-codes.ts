/** The exit codes of every command. */
export const exitOk = 0;
/** `audit` found a breach. */
export const exitBreach = 1;
/** An unknown option, an invalid value, an unreadable line or a missing node. */
export const exitBadInput = 2;
/** The input is valid, and the manager would refuse the request. */
export const exitRefused = 3;
/**
 * The cluster cannot be reached, or the user may not read it. Or `audit` found no breach but could not check everything,
 * so that a pipeline does not pass after an incomplete audit.
 */
export const exitUnread = 4;
