vs_4_1
dcl_globalFlags refactoringAllowed | enableMinimumPrecision | enable11_1ShaderExtensions
ret 
