export { tellBundle as gist } from "../shared/bundle/gist.ts";
