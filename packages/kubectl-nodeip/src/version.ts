/** The version of the program, which is that of its package. */
export const version = '0.0.0';
