/** The version of the program, as its package has it. */
export const version = '0.0.0';
