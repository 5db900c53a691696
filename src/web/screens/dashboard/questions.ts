import { askPeople, askTeam } from '../../api/questions.ts';
import { askDevelopers, askReviewers } from '../../people/questions.ts';

export const dashboardQuestions = () => [askTeam(), askPeople(), askReviewers(), askDevelopers()];
