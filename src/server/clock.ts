/** The system's clock. What starts a process hands it on as `now`; everybody else is given the time by their caller. */
export const now = (): Date => new Date();
