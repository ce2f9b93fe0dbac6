export { tellBundle as gist } from "../bundles/gist.ts";
