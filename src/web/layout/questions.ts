import { askConnectedRepositories, askMyWork } from '../api/questions.ts';
import { askStuck } from '../pull-requests/questions.ts';

/** What stands around every signed-in screen. */
export const shellQuestions = () => [askConnectedRepositories(), askStuck(), askMyWork()];
