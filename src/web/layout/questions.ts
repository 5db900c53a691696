import { askConnectedRepositories, askMyWork } from '../api/questions.ts';
import { askStuckCounts } from '../pull-requests/questions.ts';

/** What stands around every signed-in screen. */
export const shellQuestions = () => [askConnectedRepositories(), askStuckCounts(), askMyWork()];
