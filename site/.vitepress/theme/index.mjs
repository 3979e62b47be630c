import theme from 'vitepress/theme';
import './room-for-code.css';

export default theme;
